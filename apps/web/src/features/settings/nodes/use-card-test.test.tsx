// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { settled } from '../fake-settings.tsx'
import { aNodeConfig, renderWithLive, toasts } from './fake-nodes.tsx'
import { useCardTest } from './node-card.tsx'
import { useNodes } from './use-nodes.ts'

afterEach(cleanup)

/** A card still shown for a node that the list no longer contains. */
function Leftover() {
  useNodes(false)
  const { run } = useCardTest('pve-9')
  return <button onClick={() => run({ id: 'pve-9' })}>Test</button>
}

test('[spec 2 §8] a node that is gone is not asked: Node not found', async () => {
  toasts()
  const { calls } = await renderWithLive(<Leftover />, {
    replies: { 'GET /api/config/nodes': [aNodeConfig()] },
  })
  fireEvent.click(screen.getByRole('button'))
  await settled()
  expect(toasts()).toEqual(['error: Node not found'])
  expect(calls.map(({ call }) => call)).toEqual(['GET /api/config/nodes'])
})
