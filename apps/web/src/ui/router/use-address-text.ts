import { useEffect, useRef, useState } from 'react'
import { useAddress } from './use-address.ts'

/** Browsers refuse to change the address a hundred times in half a minute: it follows when typing pauses. */
const pauseMs = 300

/** A text that is typed, in the address under this name. */
export function useAddressText(name: string): [string, (text: string) => void] {
  const { params, set } = useAddress()
  const [typed, setTyped] = useState<string>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return [
    typed ?? params.get(name) ?? '',
    (text) => {
      clearTimeout(timer.current)
      setTyped(text)
      timer.current = setTimeout(() => {
        set({ [name]: text })
        setTyped(undefined)
      }, pauseMs)
    },
  ]
}
