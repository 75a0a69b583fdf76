// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { useChange } from './use-change.ts'

interface Call {
  answer: (ok: boolean) => void
}

function setup() {
  const calls: Call[] = []
  function Form() {
    const change = useChange({
      mutationFn: (input: string) =>
        new Promise<string>((resolve, reject) => {
          calls.push({ answer: (ok) => (ok ? resolve(input) : reject(new Error('no'))) })
        }),
    })
    return (
      <>
        <button type="button" onClick={() => change.mutate('it')}>
          Do
        </button>
        <button type="button" onClick={change.reset}>
          Give up
        </button>
      </>
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Form />
    </QueryClientProvider>,
  )
  const click = (...names: string[]) =>
    act(async () => {
      for (const name of names) fireEvent.click(screen.getByRole('button', { name }))
    })
  const answer = (at: number, ok: boolean) => act(async () => calls[at]!.answer(ok))
  return { calls, click, answer }
}

afterEach(cleanup)

test('two clicks before a render make one call', async () => {
  const { calls, click } = setup()
  await click('Do', 'Do')
  expect(calls).toHaveLength(1)
})

test.each([true, false])('after the answer it can be made again (success: %s)', async (ok) => {
  const { calls, click, answer } = setup()
  await click('Do')
  await answer(0, ok)
  await click('Do')
  expect(calls).toHaveLength(2)
})

test('after giving up a second call is allowed, and the first answer does not allow a third', async () => {
  const { calls, click, answer } = setup()
  await click('Do')
  await click('Give up', 'Do')
  await answer(0, true)
  await click('Do')
  expect(calls).toHaveLength(2)
})
