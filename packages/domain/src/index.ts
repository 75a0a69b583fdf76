export * from './clock.ts'
export * from './state/patch.ts'
