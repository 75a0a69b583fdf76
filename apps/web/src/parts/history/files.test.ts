import { describe, expect, test } from 'vitest'
import { reasonWords } from './chart-data.ts'
import { historyOfKind } from './charts.ts'
import { csvCell, fileName, toCsv, toJson } from './files.ts'
import { anAnswer, aPoint, aSeries, now } from './fixtures.ts'
import { toRows } from './history-rows.ts'

const guests = historyOfKind.guests!
const gap = { from: now - 60_000, to: now - 30_000, reason: 'silent' } as const
const answer = anAnswer(
  aSeries('cpu', 'ratio', [aPoint(now - 90_000, 0.25, { min: 0.1, max: 0.5 }), aPoint(now, 0.5)], [gap]),
  aSeries('networkIn', 'bytes/s', [aPoint(now, 1_000)]),
)

test('[M 3.1] a CSV file has a line per time and per gap', () => {
  expect(toCsv(toRows(guests, answer), reasonWords(guests)).split('\r\n')).toEqual([
    'Time,CPU (%) mean,CPU (%) min,CPU (%) max,Network: Received (B/s) mean,Network: Received (B/s) min,Network: Received (B/s) max,Gap',
    '2026-06-01T11:58:30.000Z,25,10,50,,,,',
    '2026-06-01T11:59:00.000Z,,,,,,,CPU: Not answering until 2026-06-01T11:59:30.000Z',
    '2026-06-01T12:00:00.000Z,50,50,50,1000,1000,1000,',
    '',
  ])
})

describe('a cell', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+1 555', "'+1 555"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['-1.5', '-1.5'],
    ['1e-7', '1e-7'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ])('%j is written as %j', (text, cell) => expect(csvCell(text)).toBe(cell))
})

test('[M 3.1] a JSON file has the answer as it came, and what it is of', () => {
  expect(JSON.parse(toJson({ kind: 'guests', id: 'a', name: 'web' }, answer))).toEqual({
    kind: 'guests',
    id: 'a',
    name: 'web',
    ...answer,
  })
})

test('a file is named after the thing and its time, whatever its name holds', () => {
  const times = '2026-06-01T11-00-00-to-2026-06-01T12-00-00'
  expect(fileName('web', answer, 'csv')).toBe(`pulse-web-${times}.csv`)
  expect(fileName('../../etc/passwd\n', answer, 'json')).toBe(`pulse-etc-passwd--${times}.json`)
  expect(fileName('://', answer, 'csv')).toBe(`pulse-history-${times}.csv`)
  expect(fileName('x'.repeat(500), answer, 'csv').length).toBeLessThan(120)
})
