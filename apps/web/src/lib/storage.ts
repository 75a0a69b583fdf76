import {
  type PlatformsSeen,
  type Preference,
  type PreferenceKey,
  preferences,
  type SearchHistory,
  searchHistoryLimit,
} from '@pulse/contract'
import { useCallback, useMemo, useSyncExternalStore } from 'react'

/** All access to browser storage goes through here, so that a full or blocked storage causes no error. */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    unsaved.delete(key)
  } catch {
    unsaved.set(key, value)
  }
  for (const listener of listeners) listener()
}

const listeners = new Set<() => void>()
/** values that storage refused (private windows, full disks); kept until the page is closed */
const unsaved = new Map<string, string | null>()

const current = (key: string): string | null => unsaved.get(key) ?? readStored(key)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The raw text under a key; follows changes of other tabs. */
export function useStored(key: string): string | null {
  return useSyncExternalStore(subscribe, () => current(key))
}

export type PreferenceValue<K extends PreferenceKey> =
  Preference<K> | Extract<(typeof preferences)[K]['initial'], undefined>

/** Unknown values in storage read as the default. */
export function readPreference<K extends PreferenceKey>(key: K, stored = current(key)): PreferenceValue<K> {
  const { values, initial } = preferences[key]
  return ((values as readonly unknown[]).includes(stored) ? stored : initial) as PreferenceValue<K>
}

/** Without a value the default applies. */
export function writePreference<K extends PreferenceKey>(key: K, value: Preference<K> | undefined): void {
  writeStored(key, value ?? null)
}

export function usePreference<K extends PreferenceKey>(
  key: K,
): [PreferenceValue<K>, (value: Preference<K>) => void] {
  const stored = useStored(key)
  const set = useCallback((value: Preference<K>) => writePreference(key, value), [key])
  return [readPreference(key, stored), set]
}

export type SearchHistoryOwner =
  'dashboard' | 'storage' | 'backups' | 'docker' | 'thresholds' | 'alerts' | 'changes'

const historyKey = (owner: SearchHistoryOwner) => `${owner}SearchHistory`

/** Newest first, unique ignoring case. A blank term changes nothing. */
export function addToHistory(history: readonly string[], term: string): readonly string[] {
  const wanted = term.trim()
  if (!wanted) return history
  const others = history.filter((one) => one.toLowerCase() !== wanted.toLowerCase())
  return [wanted, ...others].slice(0, searchHistoryLimit)
}

export const removeFromHistory = (history: readonly string[], term: string): readonly string[] =>
  history.filter((one) => one.toLowerCase() !== term.toLowerCase())

export function useSearchHistory(owner: SearchHistoryOwner) {
  const key = historyKey(owner)
  const stored = useStored(key)
  const history = useMemo(() => parseHistory(stored), [stored])
  const change = useMemo(() => {
    const save = (next: readonly string[]) => writeStored(key, next.length ? JSON.stringify(next) : null)
    return {
      add: (term: string) => save(addToHistory(parseHistory(current(key)), term)),
      remove: (term: string) => save(removeFromHistory(parseHistory(current(key)), term)),
      clear: () => save([]),
    }
  }, [key])
  return { history, ...change }
}

const parseHistory = (stored: string | null): readonly string[] =>
  parseJson(stored, isHistory, []).slice(0, searchHistoryLimit)

const seenKey = 'platformsSeen'

export function usePlatformsSeen(): PlatformsSeen {
  return parseJson(useStored(seenKey), isSeen, {})
}

export function markPlatformSeen(platform: keyof PlatformsSeen): void {
  const seen = parseJson(current(seenKey), isSeen, {})
  if (!seen[platform]) writeStored(seenKey, JSON.stringify({ ...seen, [platform]: true }))
}

const isHistory = (value: unknown): value is SearchHistory =>
  Array.isArray(value) && value.every((term) => typeof term === 'string')

const isSeen = (value: unknown): value is PlatformsSeen =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((seen) => typeof seen === 'boolean')

function parseJson<T>(text: string | null, isValid: (value: unknown) => value is T, fallback: T): T {
  if (text === null) return fallback
  try {
    const parsed: unknown = JSON.parse(text)
    return isValid(parsed) ? parsed : fallback
  } catch {
    return fallback
  }
}
