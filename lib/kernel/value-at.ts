/** Returns the value at a path such as `agent.status`; undefined without one. */
export const valueAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isMap(inner) ? inner[name] : undefined), value)

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
