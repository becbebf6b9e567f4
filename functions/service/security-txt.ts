import { endpoint } from '#lib/http/endpoint'
import { content } from '#lib/http/reply'
import { clock } from '#lib/http/runtime'
import { securityContact, securityTxt } from '#lib/http/security-txt'

export const { spec, handler } = endpoint({
  route: 'GET /.well-known/security.txt',
  summary: 'Where to report a weakness of the service',
  description: 'As RFC 9116 says.',
  access: 'public',
  output: { 200: content('text/plain; charset=utf-8') },
  deps: { contact: securityContact, now: clock },
  run: (_context, { contact, now }) => securityTxt(contact, now()),
})
