function list() { return {} }
