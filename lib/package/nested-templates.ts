import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROLE_STACKS, rolesOfFunctions, templateKeys } from './template/role-stacks.ts'
import type { Resource, Template } from './template/template.ts'

/** The stack's own template, as osls names the file. */
const STACK_TEMPLATE = 'cloudformation-template-update-stack.json'

/** Writes the templates of nested stacks next to their parent's, each as `<logical id>.json`. */
export async function writeTemplates(
  folder: string,
  nested: Readonly<Record<string, Template>>,
): Promise<void> {
  const written = Object.entries(nested).map(([id, template]) =>
    writeFile(fileOf(folder, id), JSON.stringify(template)),
  )
  await Promise.all(written)
}

/** Returns the packaged templates of nested stacks, by the keys that their stack's template names. */
export const nestedTemplateFiles = (template: Template, folder: string): Record<string, string> =>
  Object.fromEntries(templateKeys(template).map(([id, key]) => [key, fileOf(folder, id)]))

/** Reads the role of each packaged function, by the function's logical id. */
export async function readPackagedRoles(folder: string): Promise<Record<string, Resource>> {
  const read = async (file: string): Promise<Template> => JSON.parse(await readFile(file, 'utf8'))
  const template = await read(join(folder, STACK_TEMPLATE))
  const nested = ROLE_STACKS.map(async (id) => [id, await read(fileOf(folder, id))] as const)
  return rolesOfFunctions(template, Object.fromEntries(await Promise.all(nested)))
}

const fileOf = (folder: string, id: string): string => join(folder, `${id}.json`)
