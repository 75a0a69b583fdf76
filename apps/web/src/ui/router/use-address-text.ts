import { useEffect, useRef, useState } from 'react'
import { useAddress } from './use-address.ts'
import { useRouter } from './use-router.ts'

/** Browsers refuse to change the address a hundred times in half a minute: it follows when typing pauses. */
const pauseMs = 300
/** Servers refuse an address that is too long, and then there is no page to correct it on. */
const mostLetters = 500

/** A text that is typed, in the address under this name. */
export function useAddressText(name: string): [string, (text: string) => void] {
  const { params, set } = useAddress()
  const router = useRouter()
  const [typed, setTyped] = useState<string>()
  /** ends the pause: a link leaves the text behind, Back has left already */
  const end = useRef<(isKept: boolean) => void>(undefined)
  useEffect(() => () => end.current?.(false), [])
  return [
    typed ?? params.get(name) ?? '',
    (given) => {
      const text = given.slice(0, mostLetters)
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
      const timer = setTimeout(() => finish(true), pauseMs)
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
