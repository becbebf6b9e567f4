import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, read } from '../api/client.ts'
import type { Schema } from '../api/schemas.ts'
import { type Loading, pollAlways, useLoad } from '../api/use-load.ts'

type Overview = Schema<'Overview'>

/** The queues and the figures of the last days, as loaded last; the menu loads them for the whole console. */
export const overview = signal<Loading<Overview>>({
  value: undefined,
  failure: undefined,
  reload: async () => false,
})

/** Loads the overview every ten seconds while a component uses it. */
export function useOverview(): void {
  const loading = useLoad('overview', () => read(api.GET('/admin/overview')), pollAlways)
  const { value, failure } = loading
  // `loading` is a new object at each rendering: only its contents tell a change.
  useEffect(() => {
    overview.value = loading
  }, [value, failure])
}
