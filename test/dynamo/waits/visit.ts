import type { Call } from '#test/support/call'

/** Calls an endpoint successfully, counts how often it waits, and returns the body. */
export type Visit = <Body>(route: string, request?: Call) => Promise<Body>
