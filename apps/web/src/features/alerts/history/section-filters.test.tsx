// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { click } from '../fake-alerts.tsx'
import { atThatTime, bars, choose, entry, historyCall, names, pressed, show } from '../fake-alert-history.tsx'

atThatTime()

describe('[spec 3 §4] filters', () => {
  test('the period loads again, the level does not; both are remembered', async () => {
    const { asked, settled } = await show()
    expect(asked(historyCall).at(-1)!.search).toContain('limit=10000')
    await choose('24h', 'Period')
    await settled()
    expect(asked(historyCall).at(-1)!.search).toContain('limit=2000')
    expect(names()).toEqual(['web', 'mail'])
    await choose('Warning', 'Severity')
    expect(names()).toEqual(['mail'])
    expect([localStorage.getItem('alertHistoryPeriod'), localStorage.getItem('alertHistoryLevel')]).toEqual([
      '24h',
      'warning',
    ])
  })

  test('stored values that are none fall back to 7d and all', async () => {
    localStorage.setItem('alertHistoryPeriod', '90d')
    localStorage.setItem('alertHistoryLevel', 'info')
    await show()
    const chosen = screen.getAllByRole('radio', { checked: true })
    expect(chosen.map(({ textContent }) => textContent)).toEqual(['7d', 'All'])
  })

  test('the search finds by node', async () => {
    await show()
    const box = screen.getByRole('textbox', { name: 'Search alerts' })
    await act(async () => void fireEvent.change(box, { target: { value: 'PVE2' } }))
    expect(names()).toEqual(['db'])
  })

  test('a bucket is selected and deselected; other filters clear the selection', async () => {
    await show()
    const last = bars().at(-1)!
    expect(last.getAttribute('aria-label')).toContain('1 critical, 1 warning')
    await act(async () => last.click())
    expect([names(), pressed()]).toEqual([['web', 'mail'], 1])
    // replaces the chart's caption, so that nothing below it moves
    const caption = screen.getByRole('figure').querySelector('figcaption')!
    expect(caption.textContent).toContain('Filtered Range')
    expect(caption.textContent).not.toContain('per bar')
    await act(async () => bars().at(-1)!.click())
    expect([names().length, pressed()]).toEqual([3, 0])
    await act(async () => bars().at(-1)!.click())
    await click('Clear filter')
    expect([pressed(), screen.queryByText('Filtered Range')]).toEqual([0, null])
    await act(async () => bars().at(-1)!.click())
    await choose('Critical', 'Severity')
    expect([names(), pressed()]).toEqual([['web'], 0])
    await act(async () => bars().at(-1)!.click())
    expect(pressed()).toBe(1)
    await choose('30d', 'Period')
    expect(pressed()).toBe(0)
  })

  test('a late answer of another period is dropped', async () => {
    const answers: ((reply: unknown) => void)[] = []
    const view = await show()
    view.answers[historyCall] = () => new Promise((done) => answers.push(done))
    await choose('24h', 'Period')
    await choose('30d', 'Period')
    await act(async () => answers[1]!([entry('new', 1)]))
    await act(async () => answers[0]!([entry('late', 1)]))
    expect(names()).toEqual(['new'])
  })
})

test('the search explains site: while there are sites', async () => {
  const { live } = await show()
  const source = { name: 'main', kind: 'pve', health: 'healthy' } as const
  const tips = () => screen.queryByRole('button', { name: 'Search tips' })
  expect(tips()).toBeNull()
  await act(async () => live.put({ sources: { main: { ...source, site: 'Berlin' } } }))
  fireEvent.click(tips()!)
  expect(await screen.findByText('alerts of a site; site:main is where Pulse runs')).toBeDefined()
})
