// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { Answer, aStatus, settled, viewer } from '../fake-settings.tsx'
import { aNodeConfig, inDialog } from './fake-nodes.tsx'
import { nodes, settings, found, lost, show, pass, click, freshSection } from './fake-section.tsx'
import { PbsSection, PmgSection, PveSection } from './section.tsx'

freshSection()

test('[spec 2 §6] a viewer sees that administrator access is needed, and nothing is asked for', async () => {
  for (const Section of [PveSection, PbsSection, PmgSection]) {
    const { calls } = await show({}, Section, aStatus({ user: viewer }))
    expect(
      screen.getByText('You need administrator access to see and change what is monitored.'),
    ).toBeDefined()
    expect(calls).toEqual([])
    cleanup()
  }
})

describe('[spec 2 §4] the list of nodes', () => {
  test('is loaded first, settings and discovery after it', async () => {
    const { calls } = await show()
    expect(calls.map(({ call }) => call)).toEqual([nodes, settings, found])
  })

  test('with Proxmox VE nodes in it brings their temperatures along', async () => {
    const temperatures = 'GET /api/temperature/nodes'
    const replies = { [nodes]: [aNodeConfig()], [temperatures]: { nodes: [] } }
    await show(replies)
    expect(screen.getByRole('heading', { name: 'Temperature helper' })).toBeDefined()
    cleanup()
    await show(replies, PbsSection)
    expect(screen.queryByRole('heading', { name: 'Temperature helper' })).toBeNull()
  })

  test('is refreshed every 30 s', async () => {
    const { asked } = await show()
    await pass(28_000)
    expect(asked(nodes)).toHaveLength(1)
    await pass(2_000)
    expect(asked(nodes)).toHaveLength(2)
  })

  test('is refreshed every 3 s while the dialog is open', async () => {
    const { asked } = await show()
    await click('Add node')
    await pass(3_000)
    expect(asked(nodes)).toHaveLength(2)
    await pass(3_000)
    expect(asked(nodes)).toHaveLength(3)
    fireEvent.click(inDialog().getByRole('button', { name: 'Cancel' }))
    await pass(6_000)
    expect(asked(nodes)).toHaveLength(3)
  })

  test.each([
    ['a 429', new Answer(429, { error: 'Too many requests' })],
    ['a fetch error', lost],
  ])('is loaded again 3 s after %s', async (_what, failure) => {
    const { asked, replies } = await show({ [nodes]: failure })
    expect(screen.getByRole('alert').textContent).toContain('Failed to load nodes')
    replies[nodes] = [aNodeConfig()]
    await pass(2_000)
    expect(asked(nodes)).toHaveLength(1)
    await pass(1_000)
    expect(screen.getByRole('article', { name: 'pve1' })).toBeDefined()
  })

  test('is not asked for in haste after another failure', async () => {
    const { asked } = await show({ [nodes]: new Answer(500, { error: 'broken' }) })
    await pass(20_000)
    expect(asked(nodes)).toHaveLength(1)
  })

  test.each([
    { type: 'node_auto_registered', data: { type: 'pve', host: 'https://a:8006' } },
    { type: 'nodes_changed', data: {} },
    { type: 'node_deleted', data: { nodeType: 'pve' } },
  ] as const)('is loaded again on $type', async (event) => {
    const { asked, live } = await show()
    act(() => live.events.emit(event))
    await settled()
    expect(asked(nodes)).toHaveLength(2)
  })
})
