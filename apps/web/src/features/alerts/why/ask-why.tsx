import { createContext, type ReactNode, useContext, useState } from 'react'
import { type Asked, WhyDialog } from './why-dialog.tsx'

const AskContext = createContext<((of: Asked) => void) | undefined>(undefined)

/** One dialog, shared by all buttons that ask why. */
export function AskWhy({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>()
  return (
    <AskContext value={setAsked}>
      {children}
      <WhyDialog of={asked} onClose={() => setAsked(undefined)} />
    </AskContext>
  )
}

export function useAskWhy(): (of: Asked) => void {
  const ask = useContext(AskContext)
  if (!ask) throw new Error('AskWhy is missing')
  return ask
}
