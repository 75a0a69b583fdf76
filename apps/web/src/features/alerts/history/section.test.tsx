// @vitest-environment happy-dom
import { aGuest } from '@pulse/testkit'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { click, toasts } from '../fake-alerts.tsx'
import {
  HOUR,
  atThatTime,
  bars,
  cells,
  choose,
  days,
  entry,
  history,
  historyCall,
  names,
  now,
  pressed,
  show,
} from '../fake-alert-history.tsx'

atThatTime()

test('[M 3.4] the time of a short alert opens the page of then before its end', async () => {
  const [web] = history
  await show([{ ...web, endTime: new Date(now - HOUR + 40_000).toISOString() }])
  const link = screen.getByRole('link', { name: /show the page at that time$/ })
  expect(link.getAttribute('href')).toBe(`/proxmox/overview?search=web&at=${now - HOUR + 39_000}`)
})

test.each([
  ['only alerts within it have a link', { changes: [], oldest: now - 1.5 * HOUR }, 1],
  ['without a state none has', { changes: [] }, 0],
  ['the last 14 days have links while it is unknown', 503, 3],
])('[M 3.4] where the history begins: %s', async (_title, answer, links) => {
  await show(history, { replies: { [historyCall]: history, 'GET /api/history/changes': answer } })
  expect(screen.queryAllByRole('link', { name: /show the page at that time$/ })).toHaveLength(links)
})

describe('the legend of the chart', () => {
  const legend = () => document.querySelector('figure [data-legend]')!
  const colours = (of: Element) =>
    [...of.querySelectorAll('[class*=fill]')].map((one) => one.className.match(/bg-\w+-fill/)![0])

  test('has the order and the colours of its bars', async () => {
    await show()
    expect(legend().textContent).toBe('CriticalWarning')
    expect(colours(legend())).toEqual(['bg-red-fill', 'bg-yellow-fill'])
    expect(colours(document.querySelector('[data-bar]')!)).toEqual(colours(legend()))
  })

  test('names only what the bars show', async () => {
    await show()
    await choose('Warning', 'Severity')
    expect(legend().textContent).toBe('Warning')
  })
})

test('how many alerts there are is said once, and of how many when some are filtered out', async () => {
  await show()
  const count = () => document.querySelector('#content footer')!.textContent
  expect(count()).toContain('3 alerts')
  expect(count()).not.toContain(' of ')
  await choose('Critical', 'Severity')
  expect(count()).toContain('1 of 3 alerts')
})

describe('[spec 3 §2] the table', () => {
  test('has its columns, grouped by day', async () => {
    await show()
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Timestamp',
      'Resource',
      'Type',
      'Severity',
      'Message',
      'Duration',
      'Status',
      'Node',
    ])
    expect(days()).toEqual(['Today2 alerts', 'Yesterday1 alert'])
    expect(cells().map((row) => row.slice(1))).toEqual([
      ['web', 'VM', 'Critical', 'web is off', '30m', 'Resolved', 'pve1'],
      ['mail', 'Unknown', 'Warning', 'cpu of pve1 is high', '30m', 'Acknowledged', 'pve1'],
      ['db', 'Unknown', 'Warning', 'cpu of pve2 is high', '30m', 'Resolved', 'pve2'],
    ])
  })

  test('[M 3.5] what changed before an alert is one click away', async () => {
    await show()
    const at = now - HOUR
    expect(screen.getByRole('link', { name: 'What changed before: web' }).getAttribute('href')).toBe(
      `/proxmox/changes?from=${at - 24 * HOUR}&to=${at + 60_000}&alert=${at}`,
    )
  })

  test('names backup servers and mail gateways, and shows no address of theirs', async () => {
    const address = { node: 'https://192.0.2.7:8007', instance: 'pbs1', message: 'CPU at 90 %' }
    await show([entry('pbs1', 1, address)])
    expect(cells()[0]!.at(-1)).toBe('pbs1')
    expect(document.body.textContent).not.toContain('192.0.2.7')
  })

  test('shows what fires now as active, once, with the type of what has its name', async () => {
    const firing = entry('web', 1)
    const live = aLive({ activeAlerts: { web: firing }, guests: { a: aGuest({ name: 'web' }) } })
    await show([firing], { live })
    expect(cells().map((row) => [row[2], row[5], row[6]])).toEqual([['VM', '1h 0m', 'Active']])
  })

  test('empty', async () => {
    await show([])
    expect(screen.getByText('No alerts found')).toBeDefined()
    expect(screen.getByRole('figure').textContent).toContain('Alerts over time, 6 hour(s) per bar')
    expect(screen.getByRole('figure').textContent).not.toContain('up to')
  })

  test('while it is loaded it says so', async () => {
    let answer = (_reply: unknown) => {}
    const view = await show([])
    view.answers[historyCall] = () => new Promise((done) => (answer = done))
    await choose('30d', 'Period')
    expect(screen.getAllByText('Loading alert history...')).not.toEqual([])
    expect(screen.queryByText('No alerts found')).toBeNull()
    await act(async () => answer([]))
    expect(screen.getByText('No alerts found')).toBeDefined()
  })

  test('filters are named, and the chart says what a bar is', async () => {
    await show()
    const options = (group: string) =>
      within(screen.getByRole('radiogroup', { name: group }))
        .getAllByRole('radio')
        .map((radio) => radio.textContent)
    expect(options('Period')).toEqual(['24h', '7d', '30d', 'All'])
    expect(options('Severity')).toEqual(['All', 'Critical', 'Warning'])
    expect(document.querySelector('figcaption')!.textContent).toContain('6 hour(s) per bar')
    expect(bars()).toHaveLength(28)
    expect(document.querySelectorAll('[data-axis-label]')).toHaveLength(5)
  })

  test('a failed load says so, without a chart of 1969, and is tried again', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    const view = await show(500)
    expect(screen.getByText('Alert history could not be loaded')).toBeDefined()
    expect([screen.queryByText('No alerts found'), screen.queryByRole('figure')]).toEqual([null, null])
    expect(toasts()).toEqual([])
    view.answers[historyCall] = history
    await click('Retry')
    await view.settled()
    expect(names()).toEqual(['web', 'mail', 'db'])
  })

  test('loaded again a minute later the focus stays at its bar, and the selection where it was', async () => {
    const view = await show()
    await act(async () => bars().at(-1)!.click())
    const bar = bars().at(-1)!
    await act(async () => bar.focus())
    vi.setSystemTime(now + 60_000)
    const loads = view.asked(historyCall).length
    await act(async () => view.live.put({ activeAlerts: { late: entry('late', 0) } }))
    await waitFor(() => expect(view.asked(historyCall).length).toBeGreaterThan(loads), { timeout: 5_000 })
    await view.settled()
    expect(document.activeElement).toBe(bar)
    expect(bars().at(-1)).toBe(bar)
    expect(pressed()).toBe(1)
  })

  test('of ten thousand alerts only those near the window are there', async () => {
    await show(Array.from({ length: 10_000 }, (_, at) => entry(`r${at}`, 1 + at / 100)))
    expect(cells().length).toBeLessThan(100)
    expect(screen.getAllByText('10,000 alerts').at(-1)).toBeDefined()
  })
})

describe('[spec 3 §2] clearing', () => {
  const confirm = async () => {
    await click('Clear All History')
    const dialog = within(screen.getByRole('dialog'))
    expect(
      dialog.getByText('This permanently deletes all historical alert data and cannot be undone.'),
    ).toBeDefined()
    await act(async () => dialog.getByRole('button', { name: 'Clear All History' }).click())
  }

  test('asks first, and asks the server for what is left', async () => {
    const view = await show(history, {
      replies: { [historyCall]: history, 'DELETE /api/alerts/history': { status: 'success', message: '' } },
    })
    view.answers[historyCall] = []
    await confirm()
    await view.settled()
    expect(screen.getByText('No alerts found')).toBeDefined()
  })

  test('that fails says so', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {})
    await show(history, { replies: { [historyCall]: history, 'DELETE /api/alerts/history': 500 } })
    await confirm()
    expect(toasts()).toEqual([
      'error: Error clearing alert history. Please check your connection and try again.',
    ])
  })

  test('is for administrators', async () => {
    await show(history, { role: 'viewer', replies: { [historyCall]: history } })
    expect(screen.queryByRole('button', { name: 'Clear All History' })).toBeNull()
  })
})
