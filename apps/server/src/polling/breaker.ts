export { CircuitBreaker as Breaker } from '../timing/circuit-breaker.ts'
