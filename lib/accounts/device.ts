/** Where a request came from, as a session stores it: the gateway's address and the `User-Agent`. */
export type Device = { ipAddress: string; userAgent: string | null }
