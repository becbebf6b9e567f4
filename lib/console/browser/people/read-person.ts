import { api, read } from '../api/client.ts'

/** Reads everything that administrators may know about a person. */
export const readPerson = (id: string) => read(api.GET('/admin/users/{id}', { params: { path: { id } } }))
