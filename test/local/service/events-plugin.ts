import { queuedEvents } from '#lib/local/events/serverless-plugin'

// osls takes plugins from below the service's own directory only.
export { queuedEvents as 'module.exports' }
