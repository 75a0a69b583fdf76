// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ApiProvider } from '../../api/api.tsx'
import type { Api } from '../../api/client.ts'
import { MomentProvider } from '../../lib/moment.tsx'
import { useSeries } from './use-series.ts'

const minute = 60_000
const call = async () => ({ tier: 'raw', from: 0, to: 1, series: [] })

function Charts() {
  useSeries({
    kind: 'guests',
    ids: ['main:100'],
    fields: ['cpu'],
    choice: { range: '1h', chosenAt: 0, asTable: false },
    points: 400,
  })
  return null
}

test('[M 4] charts of moments that were passed are kept for half a minute only', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 28) })
  onTestFinished(() => void vi.useRealTimers())
  const queries = new QueryClient()
  const at = (moment: number) => (
    <QueryClientProvider client={queries}>
      <ApiProvider api={{ call } as unknown as Api}>
        <MomentProvider moment={moment}>
          <Charts />
        </MomentProvider>
      </ApiProvider>
    </QueryClientProvider>
  )
  const page = render(at(minute))
  for (let n = 2; n <= 100; n++) {
    page.rerender(at(n * minute))
    await act(() => vi.advanceTimersByTimeAsync(1_000))
  }
  expect(queries.getQueryCache().getAll().length).toBeLessThanOrEqual(32)
  page.unmount()
})
