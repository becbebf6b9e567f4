/** Which changes of the table a function follows: the kinds of items that were inserted, modified or removed. */
export type FollowedChanges = {
  readonly inserted: readonly string[]
  readonly modified: readonly string[]
  readonly removed: readonly string[]
}

/** The changes that each function follows and the address of its queue, by the function's name. */
export type ChangeRoutes = Readonly<Record<string, FollowedChanges & { queue: string }>>

/** The one change that is read from the old image of the item: a removed item has no new one. */
const REMOVE = 'REMOVE'
const FOLLOWED_AS = { INSERT: 'inserted', MODIFY: 'modified', [REMOVE]: 'removed' } as const

/** A change's name in the table's stream. */
export type ChangeName = keyof typeof FOLLOWED_AS

/** Returns the queues of the functions that follow changes of this name to items of this kind. */
export const queuesFor = (routes: ChangeRoutes, name: ChangeName, kind: string): string[] =>
  Object.values(routes).flatMap((route) => (route[FOLLOWED_AS[name]].includes(kind) ? [route.queue] : []))

/** Returns the image that a change is read from. */
export const imageOf = (name: ChangeName): 'OldImage' | 'NewImage' =>
  name === REMOVE ? 'OldImage' : 'NewImage'

/** Filters of the table's stream that let through only changes with a follower. */
export function streamFilters(followers: readonly FollowedChanges[]) {
  const names = Object.keys(FOLLOWED_AS) as ChangeName[]
  return names.flatMap((name) => {
    const followed = [...new Set(followers.flatMap((each) => each[FOLLOWED_AS[name]]))].sort()
    if (followed.length === 0) return []
    return [{ eventName: [name], dynamodb: { [imageOf(name)]: { kind: { S: followed } } } }]
  })
}
