// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { showHistory, steady } from './fake-history.tsx'
import { now } from './fixtures.ts'
import { captions, charts, choose, click, hour, nextId, pass, viewTest } from './view-steps.ts'

viewTest()

describe('[M 3.1] the same time last week', () => {
  const week = 7 * 24 * hour

  test('is loaded when it is wanted, by one more call, and follows the present', async () => {
    const { calls } = await showHistory({ id: nextId() })
    await charts()
    expect(calls).toHaveLength(1)
    await click('Show the same time last week')
    await charts()
    expect(calls).toHaveLength(2)
    expect(calls[1]!.to - calls[1]!.from).toBe(hour)
    expect(Math.abs(calls[0]!.to - week - calls[1]!.to)).toBeLessThan(5_000)
    expect(calls[1]!.asOf, 'the same thing').toBe(calls[1]!.to + week)
    expect(captions()[0]).toMatch(/CPU: last .* Last week: last /)
    await pass(10_000)
    expect(calls).toHaveLength(4)
    await click('Show the same time last week')
    await pass(10_000)
    expect(calls).toHaveLength(5)
    expect(captions()[0]).not.toContain('Last week')
  })

  test('cannot be shown for more than seven days', async () => {
    const { calls } = await showHistory({ id: nextId() })
    await charts()
    await click('Show the same time last week')
    await choose('30 d')
    await charts()
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Show the same time last week' })
    expect(button.disabled).toBe(true)
    expect(calls.filter(({ to }) => to < now - hour)).toHaveLength(1)
    await choose('7 d')
    expect(button.getAttribute('aria-pressed'), 'it is still wanted').toBe('true')
  })

  test('that cannot be loaded leaves the charts and says so', async () => {
    await showHistory({
      id: nextId(),
      answer(call) {
        if (call.to < now - hour) throw new Error('no answer')
        return steady(call)
      },
    })
    await charts()
    await click('Show the same time last week')
    expect(await screen.findByText('Last week could not be loaded: no answer')).toBeDefined()
    expect(screen.getAllByRole('slider')).toHaveLength(2)
  })
})
