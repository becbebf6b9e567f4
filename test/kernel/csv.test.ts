import fc from 'fast-check'
import { expect, it } from 'vitest'
import { writeCsv } from '#lib/kernel/csv'
import { readCsv } from '#test/support/spreadsheet'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('=1+1', '+1', '-1', '@sum', '\t=1', '\r=1', '\n=1', 'a "word", and more', 'one\r\ntwo', ''),
)

it('A table is read back as it was written, but for the apostrophe before what a spreadsheet would execute.', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyText, fc.integer(), anyText)), (rows) => {
      const [names, ...read] = readCsv(writeCsv(['first', 'amount', 'last'], rows))
      expect(names).toEqual(['first', 'amount', 'last'])
      const safe = (text: string) => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)
      expect(read).toEqual(rows.map(([first, amount, last]) => [safe(first), String(amount), safe(last)]))
    }),
  )
})

it('A cell is quoted only where it must be, and one without a value is empty.', () => {
  expect(
    writeCsv(
      ['a', 'b'],
      [
        ['plain', null],
        ['one, two', 7],
      ],
    ),
  ).toBe('a,b\r\nplain,\r\n"one, two",7\r\n')
})
