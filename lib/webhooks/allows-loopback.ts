import { dependency } from '#lib/config/config'

/** Whether endpoints on this machine may be called, over plain http too: on the local stack only. */
export const allowsLoopback = dependency(['STAGE'], ({ STAGE }) => STAGE === 'local')
