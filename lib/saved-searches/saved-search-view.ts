import * as z from 'zod'
import { Timestamp } from '#lib/kernel/clock'
import { SavedSearchId } from '#lib/kernel/id'
import { nameLine } from '#lib/kernel/text'
import { checkFilters, FILTER_FIELDS } from '#lib/listings/search/filters'
import { Alert, type SavedSearch } from './saved-search.ts'

/** The filters of `GET /listings` by name, as JSON: at least one, and none that is unknown. */
export const SavedFilters = z
  .object(FILTER_FIELDS)
  // Not in `superRefine`, which runs only if no filter is wrong by itself: unknown filters are named beside the wrong ones.
  .catchall(z.unknown().refine(() => false, 'is no filter of a saved search'))
  .superRefine((filters, context) => {
    const refuse = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message, input: filters[name] })
    checkFilters(filters, refuse)
    if (Object.values(filters).every((value) => value === undefined)) {
      context.addIssue({ code: 'custom', message: 'must hold a filter', input: filters })
    }
  })
  .meta({ id: 'SavedFilters', example: { country: 'CI', offer: 'rent', bedrooms: 2 } })

export const NewSavedSearch = z.object({
  name: nameLine({ max: 120, needs: 'letter or digit' }).meta({ example: 'Homes in Cocody' }),
  filters: SavedFilters,
  alert: Alert,
})

/** An absent field stays; filters are replaced whole. */
export const SavedSearchChange = NewSavedSearch.partial().meta({ example: { alert: 'daily' } })

export const SavedSearchView = z
  .object({
    id: SavedSearchId,
    name: z.string().meta({ example: 'Homes in Cocody' }),
    filters: z.record(z.string(), z.unknown()).meta({
      description: 'By the names of the parameters of `GET /listings`',
      example: { country: 'CI', offer: 'rent', bedrooms: 2 },
    }),
    alert: Alert,
    createdAt: Timestamp,
    lastAlertAt: Timestamp.nullable(),
  })
  .meta({ id: 'SavedSearch' })
export type SavedSearchView = z.infer<typeof SavedSearchView>

export const viewSavedSearch = (search: SavedSearch): SavedSearchView => SavedSearchView.parse(search)
