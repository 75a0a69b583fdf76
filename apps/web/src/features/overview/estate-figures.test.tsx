// @vitest-environment happy-dom
import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { type EstateFigure, EstateFigures } from './estate-figures.tsx'
import { OverviewPage } from './page.tsx'

const onPress = vi.fn<(figure: EstateFigure) => void>()
const texts = () => screen.getAllByRole('button').map((button) => button.textContent)

afterEach(cleanup)

test('one line summarizes the estate; a loss is shown in its words', async () => {
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

test('guests are counted after the first rows are drawn, and the figures have their room until then', async () => {
  const live = aLive({ nodes: { n: aNode() }, guests: { g: aGuest() } })
  const drawn: [rows: number, group: number, texts: string | null][] = []
  function AtFirst() {
    useLayoutEffect(() => {
      const group = document.querySelector('[role=group][aria-label=Summary].invisible')
      const heads = [...document.querySelectorAll('[data-row^="group:"]')].map((head) => head.textContent)
      drawn.push([
        document.querySelectorAll('[data-row^="guest:"]').length,
        group?.children.length ?? 0,
        heads.join(),
      ])
    }, [])
    return null
  }
  await renderInApp(
    <>
      <OverviewPage />
      <AtFirst />
    </>,
    { live, replies: { '/api/guests/metadata': {} } },
  )
  expect(drawn).toEqual([[1, 5, expect.not.stringContaining('running')]])
  expect(screen.getByRole('button', { name: 'Running 1' })).toBeDefined()
  expect(screen.getByText('1 of 1 running')).toBeDefined()
  expect(document.querySelector('[role=group][aria-label=Summary].invisible')).toBeNull()
})
