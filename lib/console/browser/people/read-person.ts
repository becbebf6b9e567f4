import { api, read } from '../api/client.ts'

/** Reads everything administrators may know of a person on one page. */
export const readPerson = (id: string) => read(api.GET('/admin/users/{id}', { params: { path: { id } } }))
