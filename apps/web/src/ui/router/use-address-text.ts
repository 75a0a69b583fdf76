import { useEffect, useRef, useState } from 'react'
import { useAddress } from './use-address.ts'
import { useRouter } from './use-router.ts'

/** Debounced, because Safari refuses more than a hundred changes of the address within 30 s. */
const debounceMs = 300
/** Servers refuse a long address. Without a page, the user could not shorten it. */
const mostLetters = 500

/** A text field with its value in a parameter of the address. */
export function useAddressText(name: string): [string, (text: string) => void] {
  const { params, set } = useAddress()
  const router = useRouter()
  const [typed, setTyped] = useState<string>()
  /** ends the debounce: a link writes the text first, Back discards it */
  const end = useRef<(isKept: boolean) => void>(undefined)
  useEffect(() => () => end.current?.(false), [])
  return [
    typed ?? params.get(name) ?? '',
    (typed) => {
      const text = typed.slice(0, mostLetters)
      end.current?.(false)
      setTyped(text)
      const { shown } = router.view()
      const finish = (isKept: boolean) => {
        end.current = undefined
        clearTimeout(timer)
        for (const stop of stops) stop()
        if (isKept) set({ [name]: text })
        setTyped(undefined)
      }
      const timer = setTimeout(() => finish(true), debounceMs)
      const stops = [
        router.onGo(() => finish(true)),
        router.subscribe(() => {
          const now = router.view().shown
          if (now !== shown && now?.how === 'pop') finish(false)
        }),
      ]
      end.current = finish
    },
  ]
}
