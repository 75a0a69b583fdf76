// @vitest-environment happy-dom
import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { type EstateFigure, EstateFigures } from './estate-figures.tsx'

const onPress = vi.fn<(figure: EstateFigure) => void>()
const texts = () => screen.getAllByRole('button').map((button) => button.textContent)

afterEach(cleanup)

test('one line tells how the estate is; a loss is told in its words', async () => {
  const live = aLive({
    nodes: { n1: aNode(), n2: aNode({ node: 'pve2' }) },
    guests: { g1: aGuest(), g2: aGuest({ vmid: 101, node: 'pve2' }), g3: aGuest({ vmid: 102, cpu: 0.99 }) },
  })
  await renderInApp(<EstateFigures pressed={undefined} onPress={onPress} />, { live })
  expect(texts()).toEqual(['Nodes 2', 'Running 3', 'Stopped 0', 'Unreachable 0', 'Need attention 1 guest'])
  act(() => live.put({ nodes: { n2: aNode({ node: 'pve2', status: 'offline' }) } }))
  expect(texts()).toEqual([
    'Nodes 2',
    'Running 2',
    'Stopped 1',
    'Unreachable 1 node, 1 guest',
    'Need attention 1 node, 1 guest',
  ])
})

test('each is a button that says whether it is pressed', async () => {
  await renderInApp(<EstateFigures pressed="stopped" onPress={onPress} />, {
    live: aLive({ nodes: { n: aNode() } }),
  })
  const pressed = screen.getAllByRole('button').map((button) => button.getAttribute('aria-pressed'))
  expect(pressed).toEqual(['false', 'false', 'true', 'false', 'false'])
  fireEvent.click(screen.getByRole('button', { name: 'Unreachable 0' }))
  expect(onPress).toHaveBeenCalledWith('unreachable')
})
