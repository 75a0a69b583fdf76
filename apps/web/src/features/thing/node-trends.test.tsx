// @vitest-environment happy-dom
import { aDisk, aGuest, aNode, aStorage } from '@pulse/testkit'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { nodeKey } from '../../parts/nodes/nodes.ts'
import { drawn, inFreshPages, showWithTrends, trendsOf } from '../../parts/trends/fake-trends.tsx'
import { aRouter } from '../../ui/router/fake-history.ts'
import { RouterContext } from '../../ui/router/use-router.ts'
import { NodeDisks } from './node-disks.tsx'
import { NodeGuests } from './node-guests.tsx'
import { NodeHead } from './node-head.tsx'
import { NodeStorages } from './node-storages.tsx'

inFreshPages()
afterEach(cleanup)

const node = aNode({ source: 'main' })
const of = { source: 'main' }
const disk = (devPath: string, serial: string) => aDisk({ ...of, devPath, serial })
const live = aLive({
  nodes: { 'main:pve1': node },
  guests: {
    'main:100': aGuest({ ...of, vmid: 100 }),
    'main:101': aGuest({ ...of, vmid: 101 }),
    'main:102': aGuest({ ...of, vmid: 102 }),
  },
  storage: {
    'main:pve1:local': aStorage({ ...of, id: 'a', name: 'local', storage: 'local' }),
    'main:shared': aStorage({
      ...of,
      id: 'b',
      name: 'shared',
      storage: 'shared',
      shared: true,
      node: 'cluster',
      nodes: ['pve1'],
    }),
  },
  physicalDisks: { 'main:s1': disk('/dev/sda', 's1'), 'main:s2': disk('/dev/sdb', 's2') },
})
const idsOf = { guests: ['main:100', 'main:101', 'main:102'] } as Record<string, string[]>
const show = (part: 'guests' | 'storages' | 'disks' | 'head') => {
  localStorage.setItem('trends', 'true')
  const key = nodeKey(node)
  return showWithTrends(
    <RouterContext value={aRouter()}>
      <LiveProvider live={live}>
        {part === 'guests' && <NodeGuests nodeKey={key} />}
        {part === 'storages' && <NodeStorages nodeKey={key} />}
        {part === 'disks' && <NodeDisks nodeKey={key} />}
        {part === 'head' && <NodeHead id="main:pve1" />}
      </LiveProvider>
    </RouterContext>,
    ({ kind, fields }) =>
      trendsOf(
        idsOf[kind] ?? (kind === 'storage' ? ['main:pve1:local', 'main:shared'] : ['main:s1', 'main:s2']),
        fields,
      ),
  )
}

test('[M 3.2] the page of a node has the switch', async () => {
  await show('head')
  expect(screen.getByRole('button', { name: 'Trends' }).getAttribute('aria-pressed')).toBe('true')
})

test.each([
  ['guests', { kind: 'guests', fields: 'cpu,memory,disk' }, 9],
  ['storages', { kind: 'storage', fields: 'usage' }, 2],
  ['disks', { kind: 'physicalDisks', fields: 'temperature' }, 2],
] as const)('[M 3.2] the %s of a node have trends, in one call and one canvas', async (part, call, lines) => {
  const { calls } = await show(part)
  expect(calls).toEqual([call])
  expect(document.querySelectorAll('canvas')).toHaveLength(1)
  expect(drawn).toMatchObject({ fills: 1, lines })
})
