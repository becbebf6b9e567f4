import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROLE_STACK, rolesOfFunctions, roleTemplateKey } from './template/role-stack.ts'
import type { Resource, Template } from './template/template.ts'

/** The stack's own template, as osls names the file. */
const STACK_TEMPLATE = 'cloudformation-template-update-stack.json'

/** Writes the template of the nested stack next to its parent's. */
export const writeRoleTemplate = (folder: string, roles: Template): Promise<void> =>
  writeFile(fileIn(folder), JSON.stringify(roles))

/** Returns the file of the packaged nested template, by the key that its stack's template names. */
export const roleTemplateFile = (template: Template, folder: string): Record<string, string> => ({
  [roleTemplateKey(template)]: fileIn(folder),
})

/** Reads the role of each packaged function, by the function's logical id. */
export async function readPackagedRoles(folder: string): Promise<Record<string, Resource>> {
  const read = async (file: string): Promise<Template> => JSON.parse(await readFile(file, 'utf8'))
  return rolesOfFunctions(await read(join(folder, STACK_TEMPLATE)), await read(fileIn(folder)))
}

const fileIn = (folder: string): string => join(folder, `${ROLE_STACK}.json`)
