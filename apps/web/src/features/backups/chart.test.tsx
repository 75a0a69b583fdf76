// @vitest-environment happy-dom
import { aPbsBackup, backedUpEstate } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { NOW, ago, atOneMoment, bars, choose, given, rows } from './fake-page.tsx'

const estate = backedUpEstate(NOW)

atOneMoment()

describe('[spec 1 §2] the chart', () => {
  test('counts 30 days, or 7, 90 and a year', async () => {
    await given(estate)
    expect(screen.getByRole('heading', { name: 'Available backups' })).toBeDefined()
    expect(bars()).toHaveLength(30)
    for (const [label, count] of [
      ['7d', 7],
      ['90d', 90],
      ['1y', 365],
    ] as const) {
      choose(label, 'Range')
      expect(bars()).toHaveLength(count)
    }
  })

  test('[spec 1 §9] its bars say how many, in grey, blue, green or purple', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 11 }, (_, at) => [
        `m${at}`,
        aPbsBackup({ datastore: `d${at}`, backupTime: ago(49) }),
      ]),
    )
    await given({ ...estate, pbsBackups: { ...estate.pbsBackups, ...many } })
    expect(bars().at(-1)!.getAttribute('aria-label')).toMatch(/2026.*: 1 backup$/)
    expect(
      bars()
        .slice(-3)
        .map((bar) => bar.dataset['level']),
    ).toEqual(['many', 'none', 'few'])
    expect(bars().at(-3)!.innerHTML).toContain('bg-purple-fill')
  })

  test('a click on a bar leaves that day, another one all of them', async () => {
    await given(estate)
    fireEvent.click(bars().at(-5)!)
    expect(screen.getByText('Filtered Date')).toBeDefined()
    expect(rows()).toEqual(['file'])
    fireEvent.click(bars().at(-5)!)
    expect([screen.queryByText('Filtered Date'), rows().length]).toEqual([null, 4])
    fireEvent.click(bars().at(-5)!)
    fireEvent.click(screen.getByRole('button', { name: 'Clear filter' }))
    expect(rows()).toHaveLength(4)
  })

  test('arrows lead from day to day, with one stop for Tab', async () => {
    await given(estate)
    expect(bars().filter((bar) => bar.tabIndex === 0)).toEqual([bars().at(-1)])
    act(() => bars().at(-1)!.focus())
    fireEvent.keyDown(bars().at(-1)!, { key: 'ArrowLeft' })
    expect(document.activeElement).toBe(bars().at(-2))
  })

  test('its legend counts by source and knows the average deduplication', async () => {
    await given(estate)
    const legend = within(screen.getByRole('list', { name: 'Legend' })).getAllByRole('listitem')
    expect(legend.map((one) => one.textContent)).toEqual([
      'Snapshots 1',
      'PVE 1',
      'PBS 1',
      'Average deduplication 10x',
    ])
  })
})
