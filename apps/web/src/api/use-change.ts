import { type MutateOptions, useMutation, type UseMutationOptions } from '@tanstack/react-query'
import { useRef } from 'react'

type ChangeOptions<Reply, Input> = Omit<UseMutationOptions<Reply, Error, Input>, 'mutationFn'> & {
  mutationFn: (input: Input) => Promise<Reply>
}

/**
 * A mutation that runs once at a time, because a second click may arrive before the button renders disabled.
 */
export function useChange<Reply, Input = void>({ mutationFn, ...options }: ChangeOptions<Reply, Input>) {
  const running = useRef<object>(undefined)
  const change = useMutation<Reply, Error, Input>({
    ...options,
    async mutationFn(input) {
      const own = running.current
      try {
        return await mutationFn(input)
      } finally {
        if (running.current === own) running.current = undefined
      }
    },
  })
  return {
    ...change,
    mutate(input: Input, then: MutateOptions<Reply, Error, Input> = {}) {
      if (running.current) return
      running.current = {}
      change.mutate(input, then)
    },
    /** Allows another call without waiting for the answer. */
    reset() {
      running.current = undefined
      change.reset()
    },
  }
}
