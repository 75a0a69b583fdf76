import { describe, expect, test } from 'vitest'
import { medianFirstRowsMs, NAVIGATIONS, SERVER_AGE_S } from '../bench/first-row.ts'
import { inShape } from '../bench/page.ts'
import { rowTable } from '../bench/rows.ts'
import { documentText } from './documented.ts'

test('the measured part of the page is formatted as `npm run check` demands', async () => {
  const rows = [
    { what: 'Reports', unit: '', read: () => 2012 },
    { what: 'Slowest answer', unit: 'ms', read: () => 2000, limit: () => 1000 },
  ]
  expect(await inShape(`# Figures\n\n${rowTable(rows, {}, '500 agents')}\n`)).toBe(
    [
      '# Figures',
      '',
      '| What               | 500 agents         | Budget |',
      '| ------------------ | ------------------ | ------ |',
      '| Reports            | 2,012              | –      |',
      '| Slowest answer, ms | **2,000 (missed)** | 1,000  |',
      '',
    ].join('\n'),
  )
})

test('docs/scaling.md says what an open page receives as docs/benchmarks.md has measured it', () => {
  const measured = /^\| Bytes per update per client, kB .*$/m.exec(documentText('docs/benchmarks.md'))![0]
  const [, , , at500, at2500] = measured.split('|').map((cell) => Math.round(Number.parseFloat(cell)))
  expect(documentText('docs/scaling.md')).toContain(
    `every ten seconds ${at500} kB at 500 guests, ${at2500} kB at 2,500`,
  )
})

describe('the time until the first row', () => {
  const measureAt = (agesS: number[], times: number[][]) => {
    const did: string[] = []
    const measured = medianFirstRowsMs({
      ages: async () => agesS,
      pause: async (ms) => void did.push(`waits ${ms / 1000} s`),
      navigate: async (server) => {
        did.push(`opens ${server}`)
        return times[server]!.shift()!
      },
    })
    return { did, measured }
  }

  test('is the median of nine navigations, to a server of the same age each time', async () => {
    const { did, measured } = measureAt([120], [[900, 500, 510, 480, 2_000, 490, 505, 520, 495]])
    expect(await measured).toEqual([505])
    expect(NAVIGATIONS).toBe(9)
    expect(did).toEqual([`waits ${SERVER_AGE_S - 120} s`, ...Array.from({ length: 9 }, () => 'opens 0')])
  })

  test('is measured by turns for two servers, each as often first, once the younger has that age', async () => {
    const { did, measured } = measureAt([130, 120], [Array<number>(9).fill(300), Array<number>(9).fill(400)])
    expect(await measured).toEqual([300, 400])
    expect(did.slice(0, 5)).toEqual([
      `waits ${SERVER_AGE_S - 120} s`,
      'opens 0',
      'opens 1',
      'opens 1',
      'opens 0',
    ])
  })

  test('is not measured when a server is too old', async () => {
    const { did, measured } = measureAt([SERVER_AGE_S + 1], [])
    await expect(measured).rejects.toThrow('not measured: the server is 301 s old already')
    expect(did).toEqual([])
  })
})
