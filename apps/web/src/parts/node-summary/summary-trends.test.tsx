// @vitest-environment happy-dom
import { aNode, aPbsServer } from '@pulse/testkit'
import { cleanup } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { aRouter } from '../../ui/router/fake-history.ts'
import { RouterContext } from '../../ui/router/use-router.ts'
import { drawn, inFreshPages, showWithTrends, trendsOf } from '../trends/fake-trends.tsx'
import { NodeSummary } from './node-summary.tsx'

inFreshPages()
afterEach(cleanup)

const live = aLive({ nodes: { n1: aNode() }, pbs: { p1: aPbsServer() } })

test.each(['overview', 'backups'] as const)(
  '[M 3.2] nodes and backup servers have trends on the page %s',
  async (tab) => {
    localStorage.setItem('trends', 'true')
    const { calls } = await showWithTrends(
      <RouterContext value={aRouter()}>
        <LiveProvider live={live}>
          <NodeSummary tab={tab} counts={new Map()} selected={undefined} onSelect={() => {}} />
        </LiveProvider>
      </RouterContext>,
      ({ kind, fields }) => trendsOf(kind === 'nodes' ? ['n1'] : ['p1'], fields),
    )
    expect(calls).toEqual([
      { kind: 'nodes', fields: 'cpu,memory,disk' },
      { kind: 'pbs', fields: 'cpu,memory' },
    ])
    // the disk of a backup server is that of its datastores
    expect(drawn.lines).toBe(5)
  },
)
