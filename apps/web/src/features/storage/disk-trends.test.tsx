// @vitest-environment happy-dom
import { aDisk, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { drawn, inFreshPages, pass, showWithTrends, trendsOf } from '../../parts/trends/fake-trends.tsx'
import { aRouter } from '../../ui/router/fake-history.ts'
import { RouterContext } from '../../ui/router/use-router.ts'
import { StoragePage } from './page.tsx'

inFreshPages()
afterEach(cleanup)

const live = aLive({
  nodes: { n1: aNode() },
  physicalDisks: { d1: aDisk(), d2: aDisk({ devPath: '/dev/sdb' }) },
})
const show = () =>
  showWithTrends(
    <RouterContext value={aRouter()}>
      <LiveProvider live={live}>
        <StoragePage />
      </LiveProvider>
    </RouterContext>,
    ({ kind, fields }) => trendsOf(kind === 'physicalDisks' ? ['d1', 'd2'] : [], fields),
  )

test('[M 3.2] the temperatures of the physical disks have trends, and the tab has the switch', async () => {
  const { calls } = await show()
  await act(async () => void fireEvent.click(screen.getByRole('tab', { name: 'Physical Disks' })))
  expect(calls).toEqual([])
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Trends' })))
  await pass(100)
  expect(calls).toContainEqual({ kind: 'physicalDisks', fields: 'temperature' })
  expect(drawn.lines).toBe(2)
})
