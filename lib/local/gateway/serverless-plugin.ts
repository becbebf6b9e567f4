import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { behaveAsDeployed, type GatewayServer } from './deployed-gateway.ts'

// The members of osls (a fork of the Serverless Framework) and of serverless-offline that this plugin uses; neither types
// them.
type FunctionDefinition = {
  name: string
  handler: string
  environment?: unknown
  events?: Record<string, unknown>[]
}
type Serverless = {
  config: { servicePath: string }
  pluginManager: { plugins: { internals?: () => { getApiGatewayServer: () => GatewayServer } }[] }
  service: { provider: { environment?: unknown }; functions: Record<string, FunctionDefinition> }
}
/**
 * The osls plugin of the local stack. It makes serverless-offline's gateway hand requests to functions as the
 * deployed one does, and loads every function: the process ends where one cannot be loaded. Then it sends its parent
 * process, if there is one, the functions and their events, schedules included. It takes no part in packaging and
 * deployment.
 */
export function localGateway(serverless: Serverless) {
  let described: Serverless['service']['functions'] = {}
  return {
    hooks: {
      'before:offline:start:init': () => {
        described = structuredClone(serverless.service.functions)
        keepLocalEnvironment(serverless.service)
      },
      'after:offline:start:init': async () => {
        for (const plugin of serverless.pluginManager.plugins) {
          if (plugin.internals) behaveAsDeployed(plugin.internals().getApiGatewayServer())
        }
        await loadFunctions(serverless).catch(end)
        // Ends this process when its parent process has ended.
        process.once('disconnect', () => process.exit(0))
        process.send?.(described)
      },
    },
  }
}

// osls loads a plugin with `require()`, which returns the export of an ES module that is named `module.exports`.
export { localGateway as 'module.exports' }

function keepLocalEnvironment({ provider, functions }: Serverless['service']): void {
  // Both environments would win over the process's own, and hold references that only CloudFormation resolves.
  delete provider.environment
  for (const definition of Object.values(functions)) {
    delete definition.environment
    // serverless-offline would run the schedules too: lib/local/events/jobs.ts runs them.
    definition.events = definition.events?.filter((event) => event['schedule'] === undefined) ?? []
  }
}

/** Ends this process, which listens already: otherwise its parent process waits for the functions without an end. */
function end(error: unknown): never {
  const isConfiguration = error instanceof Error && error.message.startsWith('Configuration: ')
  console.error(isConfiguration ? error.message : error)
  process.exit(1)
}

/** Loads every function as a cold start does, which a wrong variable stops with its name. */
async function loadFunctions({ config, service }: Serverless): Promise<void> {
  for (const { name, handler } of Object.values(service.functions)) {
    const file = join(config.servicePath, handler.replace(/\.[^./]*$/, '.ts'))
    process.env['AWS_LAMBDA_FUNCTION_NAME'] = name
    await import(pathToFileURL(file).href)
  }
  delete process.env['AWS_LAMBDA_FUNCTION_NAME']
}
