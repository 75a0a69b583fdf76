// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { SideScroll } from './side-scroll.tsx'

afterEach(cleanup)

function show(label?: string) {
  render(
    <SideScroll {...(label && { label })}>
      <p>wide</p>
    </SideScroll>,
  )
  const box = screen.getByText('wide').parentElement!
  const scrolled = (scrollLeft: number, scrollWidth: number) => {
    for (const [name, value] of Object.entries({ scrollLeft, scrollWidth, clientWidth: 100 })) {
      Object.defineProperty(box, name, { value, configurable: true })
    }
    fireEvent.scroll(box)
  }
  return { box, frame: box.parentElement!, scrolled }
}

test.each([
  { when: 'everything fits', left: 0, width: 100, edges: [false, false] },
  { when: 'there is more to the right', left: 0, width: 300, edges: [false, true] },
  { when: 'there is more on both sides', left: 50, width: 300, edges: [true, true] },
  { when: 'it is at its end', left: 200, width: 300, edges: [true, false] },
])('[design 10] $when: faded edges $edges', ({ left, width, edges }) => {
  const { frame, scrolled } = show()
  scrolled(left, width)
  expect([frame.hasAttribute('data-left'), frame.hasAttribute('data-right')]).toEqual(edges)
})

test('the keyboard reaches it while there is something to scroll', () => {
  const { box, scrolled } = show('Audit log')
  expect(screen.getByRole('group', { name: 'Audit log' })).toBe(box)
  scrolled(0, 300)
  expect(box.getAttribute('tabindex')).toBe('0')
  scrolled(0, 100)
  expect(box.hasAttribute('tabindex')).toBe(false)
})
