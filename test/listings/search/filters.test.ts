import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { FILTER_PARAMETERS, filtersOf } from '#lib/listings/search/filters'

const Parameters = z.object(FILTER_PARAMETERS)

describe('coordinates', () => {
  it.each([
    ['0.5,-1e-7', { lat: 0.5, lng: -1e-7 }],
    ['2.5E-3,1', { lat: 0.0025, lng: 1 }],
    ['1,190', { lat: 1, lng: -170 }],
    ['1,-360', { lat: 1, lng: 0 }],
    ['1,-180', { lat: 1, lng: -180 }],
  ])('near %s is one point of the Earth', (near, origin) => {
    expect(filtersOf(Parameters.parse({ near })).near?.origin).toEqual(origin)
  })

  it.each([
    ['170,-20,190,-10', { west: 170, south: -20, east: -170, north: -10 }],
    ['190,1,200,2', { west: -170, south: 1, east: -160, north: 2 }],
    ['-190,-1e-7,-170,2', { west: 170, south: -1e-7, east: -170, north: 2 }],
    ['0,1,360,2', { west: -180, south: 1, east: 180, north: 2 }],
    ['-200,1,200,2', { west: -180, south: 1, east: 180, north: 2 }],
  ])('the rectangle %s is one of the Earth', (bbox, box) => {
    expect(filtersOf(Parameters.parse({ bbox })).box).toEqual(box)
  })

  it.each([
    { near: '1,360.1' },
    { near: '90.1,1' },
    { near: '1,1e3' },
    { bbox: '-361,1,2,3' },
    { bbox: '1,1,999,2' },
  ])('%j is refused', (given) => {
    expect(Parameters.safeParse(given).success).toBe(false)
  })
})
