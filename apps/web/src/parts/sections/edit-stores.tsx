import { createContext, type ReactNode, useContext, useState, useSyncExternalStore } from 'react'
import { useSession } from '../../api/session.tsx'
import { createEditStore, type EditStore } from '../../lib/edits/edit-store.ts'
import type { IsAtom } from '../../lib/edits/patches.ts'

interface EditStores {
  of<T>(owner: string | undefined, name: string, isAtom?: IsAtom): EditStore<T>
}

const StoresContext = createContext<EditStores | undefined>(undefined)

/**
 * Wraps the whole app, including the login screen, so that edits survive the end of a session. They are
 * dropped when another user signs in.
 */
export function EditStoresProvider({ children }: { children: ReactNode }) {
  const [stores] = useState(newStores)
  return <StoresContext value={stores}>{children}</StoresContext>
}

function newStores(): EditStores {
  let known: string | undefined
  const byName = new Map<string, unknown>()
  return {
    of<T>(owner: string | undefined, name: string, isAtom?: IsAtom) {
      if (owner !== undefined && known !== undefined && owner !== known) byName.clear()
      known = owner ?? known
      const store = (byName.get(name) as EditStore<T> | undefined) ?? createEditStore<T>(isAtom)
      byName.set(name, store)
      return store
    },
  }
}

/** The unsaved edits of one document. */
export function useEditStore<T>(name: string, isAtom?: IsAtom): EditStore<T> {
  const { user } = useSession()
  const stores = useContext(StoresContext)
  if (!stores) throw new Error('EditStoresProvider is missing')
  return stores.of<T>(user && `${user.role} ${user.name}`, name, isAtom)
}

/** The document with its edits, and whether it has any. */
export function useEdited<T>(store: EditStore<T>): { shown: T | undefined; isDirty: boolean } {
  return {
    shown: useSyncExternalStore(store.subscribe, store.shown),
    isDirty: useSyncExternalStore(store.subscribe, store.isDirty),
  }
}
