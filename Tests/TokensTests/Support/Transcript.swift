/// The header and payload that a real native client of 7.1 sent (transcript 710-native-form).
enum Transcript {
    static let header =
        "eyJhbGciOiJSUzI1NiIsImpwayI6eyJhbGciOiJSU0EiLCJtb2QiOiJBTW43RE54VWVnc0I1SmJRanA5Z1V0X1VsdU1DRkNlTGNIRTJ0ci1Ma3BPUjZz"
        + "NmdTb1pXZ2otYTRaNm0yRHF3WndobDc2dko2N3VxUzd3TVBINVNyZzA9IiwiZXhwIjoiQVFBQiJ9fQ=="
    static let csr =
        header
        + ".eyJkZXZpY2VJZCI6IjBhMjI2YjgzLTM2MTQtM2RkNS1iYWQ0LWYzNTc4YzhiYzNmNSIsImRldmljZU9zIjoiNC40LjIiLCJkZXZpY2VNb2Rl"
        + "bCI6IkpWTSIsImFwcGxpY2F0aW9uSWQiOiJNeUFwcCIsImFwcGxpY2F0aW9uVmVyc2lvbiI6IjEuMCIsImVudmlyb25tZW50IjoiQW5kcm9pZG5h"
        + "dGl2ZSJ9.HKIpOIDBZ6vTc2KDY1EL7R73HE0OMkCa7fcnQt3C9OyYTydsy0nnyBMZbaUnrH9orW325UeLtkrzIK-3FukGLg=="
    static let clientId = "5f563cd2-4615-4589-860b-20822211f203"
    static let clientIdProof =
        header
        + ".eyJjbGllbnRJZCI6IjVmNTYzY2QyLTQ2MTUtNDU4OS04NjBiLTIwODIyMjExZjIwMyJ9"
        + ".fpepVxRnn54fk0t1T_19c28hNRdLY8qd4sCgTrgCkh_E3sHCNI7ffUMReqx3h1tK3PgzA5rlVaQFjSbOjdyVDQ=="
}
