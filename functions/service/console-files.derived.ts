/** The console's files. The build runs each export once and replaces it by its result. */
import { packSite, type Site } from '#lib/http/pack-site'

let built: Site | undefined

const site = (): Site => {
  built ??= packSite({
    entryPoints: ['lib/console/browser/main.tsx', 'lib/console/browser/style.css'],
    servedAt: '/console',
  })
  return built
}

/** Returns every file of the console, by its hashed name. */
export const consoleFiles = () => site().files

/** Returns the hashed names of the files that the console's page links to. */
export const consoleNames = () => ({
  script: site().names['main.tsx'] ?? '',
  style: site().names['style.css'] ?? '',
})
