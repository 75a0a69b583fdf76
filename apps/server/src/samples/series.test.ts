import { figures } from '@pulse/contract'
import { sampledFields } from '@pulse/domain'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { gapCodes, gapMetric, idLabel, metricOf } from './series.ts'

const names = sampledFields.map(metricOf)

test('[N 5] names of series never change: dashboards and the past hang on them', () => {
  expect(names.toSorted()).toMatchInlineSnapshot()
  expect([gapMetric, gapCodes]).toEqual(['pulse_sample_gap', { silent: 1, stopped: 2 }])
})

test('[N 5] every figure has a name of its own, which is valid and not one of /metrics', () => {
  expect(new Set(names).size).toBe(names.length)
  const exported = Object.values(figures).flatMap((ofKind) =>
    Object.values(ofKind as Record<string, { prometheus?: { name: string } }>).map(
      ({ prometheus }) => prometheus?.name,
    ),
  )
  for (const name of [...names, gapMetric]) {
    expect(name).toMatch(/^pulse_[a-z_]+$/)
    expect(exported).not.toContain(name)
  }
})

test('[N 5] every name is documented, with its unit', () => {
  const page = fs.readFileSync(new URL('../../../../docs/samples-store.md', import.meta.url), 'utf8')
  for (const field of sampledFields) {
    const row = page.split('\n').find((line) => line.includes(`\`${metricOf(field)}\``))
    expect(row, metricOf(field)).toContain(`| ${field.unit}`)
  }
  expect(page).toContain(`\`${gapMetric}\``)
})

test('[N 5] a long id keeps its beginning and stays unique', () => {
  const long = 'main:'.repeat(200)
  expect(idLabel('main:100')).toBe('main:100')
  expect(idLabel(long)).toHaveLength(400 + 1 + 64)
  expect(idLabel(long)).not.toBe(idLabel(`${long}x`))
  expect(idLabel(`${'x'.repeat(399)}🦆${'x'.repeat(300)}`).isWellFormed()).toBe(true)
  expect(idLabel('half \ud800')).toBe('half \ufffd')
})
