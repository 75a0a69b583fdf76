// @vitest-environment happy-dom
import { getHistorySeries, type QueryOf } from '@pulse/contract'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { stubCanvas } from '../chart/fake-canvas.ts'
import { renderInApp } from '../fake-app.tsx'
import { HistoryButton } from './history-button.tsx'
import { within } from '../../../../../scripts/test-limits.ts'

stubCanvas()
afterEach(cleanup)

test('[M 3.1] opens the charts of a backup server and of its datastores, and is no click on its row', async () => {
  const clicked = vi.fn()
  const asked: string[] = []
  const datastore = (source: string) => ({
    source,
    server: 'pbs',
    name: 'main',
    status: 'available',
    forecast: { reason: 'flat' },
  })
  await renderInApp(
    <div role="presentation" onClick={clicked}>
      <HistoryButton kind="pbs" id="backup" name="pbs1" alertId="pbs-1" />
    </div>,
    {
      live: aLive({
        datastores: { 'backup:main': datastore('backup'), 'other:main': datastore('other') } as never,
      }),
      replies: {
        [getHistorySeries.path]({ query }: { query: QueryOf<typeof getHistorySeries> }) {
          asked.push(`${query.kind} ${query.ids}`)
          return { tier: 'raw', from: query.from, to: query.to, series: [] }
        },
      },
    },
  )
  expect(asked).toEqual([])
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'History of pbs1' })))
  await screen.findByRole('dialog', { name: 'History of pbs1' }, { timeout: within(20_000) })
  await vi.waitFor(() => expect(asked).toEqual(['pbs backup', 'datastores backup:main']), {
    timeout: within(20_000),
  })
  const heading = screen.getByRole('heading', { name: 'Datastore main' })
  expect(heading.nextElementSibling?.textContent).toBe('Full in Not growing')
  expect(clicked).not.toHaveBeenCalled()
})
