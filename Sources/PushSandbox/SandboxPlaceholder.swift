// The stand-in for the push services; its parts are in the folders beside this file.
