// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { CountBadge } from './badge.tsx'
import { Button, IconButton } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { hiddenEdges } from './side-scroll.tsx'
import { SegmentedToggle } from './segmented-toggle.tsx'
import { StatusDot } from './status-dot.tsx'
import { clampPercent, UsageBar } from './usage-bar.tsx'

afterEach(cleanup)

describe('UsageBar', () => {
  test.each([
    { percent: 0, size: 0 },
    { percent: 37.5, size: 37.5 },
    { percent: 37.6, size: 37.5 },
    { percent: 100, size: 100 },
    { percent: 250, size: 100 },
    { percent: -1, size: 0 },
    { percent: undefined, size: 0 },
    { percent: Number.NaN, size: 0 },
  ])('$percent is one element of which only the background changes', ({ percent, size }) => {
    const { container } = render(<UsageBar percent={percent} tone="red" />)
    const bar = container.firstElementChild as HTMLElement
    expect(bar.style.backgroundSize).toBe(`${size}% 100%`)
    expect([bar.childElementCount, bar.style.transform, bar.style.width]).toEqual([0, '', ''])
  })

  test('[spec 1 §5] percentages are clamped to 0-100', () => {
    expect([-5, 50, 120].map(clampPercent)).toEqual([0, 50, 100])
  })

  test('with a label it is a meter, without it is decoration', () => {
    render(<UsageBar percent={42.4} label="CPU of pve1" />)
    const meter = screen.getByRole('meter', { name: 'CPU of pve1' })
    expect(meter.getAttribute('aria-valuenow')).toBe('42')
    const { container } = render(<UsageBar percent={1} />)
    expect(container.firstElementChild!.getAttribute('aria-hidden')).toBe('true')
  })
})

describe('SegmentedToggle', () => {
  const options = [
    { value: 'all', label: 'All' },
    { value: 'vm', label: 'VMs' },
    { value: 'lxc', label: 'LXCs' },
  ] as const

  function show(value: 'all' | 'vm' | 'lxc', onReset?: () => void) {
    const onChange = vi.fn<(value: string) => void>()
    render(
      <SegmentedToggle
        label="Type"
        value={value}
        options={options}
        onChange={onChange}
        {...(onReset && { onReset })}
      />,
    )
    return onChange
  }

  test('is a named group of radio buttons with one checked', () => {
    show('vm')
    const group = within(screen.getByRole('radiogroup', { name: 'Type' }))
    expect(group.getAllByRole('radio').map(({ textContent }) => textContent)).toEqual(['All', 'VMs', 'LXCs'])
    expect(group.getByRole('radio', { checked: true }).textContent).toBe('VMs')
  })

  test('a click chooses another one', () => {
    const onReset = vi.fn<() => void>()
    const onChange = show('vm', onReset)
    fireEvent.click(screen.getByRole('radio', { name: 'LXCs' }))
    expect(onChange).toHaveBeenCalledWith('lxc')
    expect(onReset).not.toHaveBeenCalled()
  })

  test('[spec 1 §4] clicking the active one resets', () => {
    const onReset = vi.fn<() => void>()
    const onChange = show('vm', onReset)
    fireEvent.click(screen.getByRole('radio', { name: 'VMs' }))
    expect(onReset).toHaveBeenCalledTimes(1)
    expect(onChange).not.toHaveBeenCalled()
  })
})

describe('hidden edges', () => {
  test.each([
    { scrollLeft: 0, scrollWidth: 900, clientWidth: 400, left: false, right: true },
    { scrollLeft: 200, scrollWidth: 900, clientWidth: 400, left: true, right: true },
    { scrollLeft: 499.5, scrollWidth: 900, clientWidth: 400, left: true, right: false },
    { scrollLeft: 0, scrollWidth: 400, clientWidth: 400, left: false, right: false },
  ])('at $scrollLeft of $scrollWidth: left $left, right $right', ({ left, right, ...scrolled }) => {
    expect(hiddenEdges(scrolled)).toEqual({ left, right })
  })
})

test('a dot and a count have a text for screen readers', () => {
  const { container } = render(
    <>
      <StatusDot tone="green" label="online" />
      <CountBadge count={120} label="critical alerts" tone="red" />
      <CountBadge count={0} label="warning alerts" tone="yellow" />
    </>,
  )
  expect(screen.getByText('online')).toBeDefined()
  expect(screen.getByText('120 critical alerts')).toBeDefined()
  expect(screen.getByText('99+')).toBeDefined()
  expect(container.textContent).not.toContain('warning')
})

test('a dot pulses only while its state is unknown', () => {
  const { container } = render(
    <>
      <StatusDot tone="yellow" label="pending" pulsing />
      <StatusDot tone="yellow" label="degraded" />
    </>,
  )
  const dots = [...container.children].map((dot) => dot.classList.contains('animate-pulse'))
  expect(dots).toEqual([true, false])
})

test('an icon button has a name, an empty state a title, a reason and an action', () => {
  render(
    <>
      <IconButton label="Close">x</IconButton>
      <EmptyState title="No guests found" action={<Button>Reset</Button>} announce>
        No guests match
      </EmptyState>
    </>,
  )
  expect(screen.getByRole('button', { name: 'Close' })).toBeDefined()
  expect(screen.getByRole('heading', { name: 'No guests found' })).toBeDefined()
  expect(screen.getByRole('status').textContent).toContain('No guests match')
  expect(screen.getByRole('button', { name: 'Reset' })).toBeDefined()
})
