import { localGateway } from '#lib/local/gateway/serverless-plugin'

// osls takes plugins from below the service's own directory only.
export { localGateway as 'module.exports' }
