/** Where a request came from, as a session stores it: the IP address that the gateway reports, and the `User-Agent`. */
export type Device = { ipAddress: string; userAgent: string | null }
