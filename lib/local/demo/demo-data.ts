/** The password of every demo agent. */
export const DEMO_PASSWORD = 'demo only: open sesame'

type DemoListing = { photo: 'house.jpg' | 'flat.jpg'; published: boolean; draft: Record<string, unknown> }

/** An agent of the demo data. */
export type DemoAgent = {
  email: string
  name: string
  verified: boolean
  profile: Record<string, unknown>
  listings: DemoListing[]
}

export const DEMO_AGENTS: readonly DemoAgent[] = [
  {
    email: 'awa@example.com',
    name: 'Awa Koné',
    verified: true,
    profile: {
      displayName: 'Awa Immobilier',
      agency: 'Awa & Co',
      languages: ['fr', 'en'],
      serviceAreas: ['Abidjan'],
    },
    listings: [
      {
        photo: 'house.jpg',
        published: true,
        draft: {
          offer: 'rent',
          category: 'house',
          title: 'House by the lagoon',
          description:
            'Three bedrooms, a terrace and the water at the door. Quiet, guarded, five minutes from the bridge.',
          price: { amount: 450_000, currency: 'XOF' },
          location: { country: 'CI', city: 'Abidjan', district: 'Cocody', lat: 5.3261, lng: -4.0197 },
          bedrooms: 3,
          bathrooms: 2,
          areaSqm: 140,
          features: ['terrace', 'water view', 'guarded'],
        },
      },
      {
        photo: 'flat.jpg',
        published: true,
        draft: {
          offer: 'sale',
          category: 'apartment',
          title: 'Two rooms in the Plateau',
          description:
            'A bright flat on the fourth floor, with a lift, close to the cathedral and the offices.',
          price: { amount: 68_000_000, currency: 'XOF' },
          location: { country: 'CI', city: 'Abidjan', district: 'Plateau', lat: 5.3197, lng: -4.0213 },
          bedrooms: 1,
          bathrooms: 1,
          areaSqm: 62,
          features: ['lift', 'balcony'],
        },
      },
      {
        photo: 'flat.jpg',
        published: false,
        draft: {
          offer: 'rent',
          category: 'studio',
          title: 'Studio near the university',
          description: 'One room with a kitchenette and a shower, ten minutes on foot from the campus.',
          price: { amount: 90_000, currency: 'XOF' },
          location: { country: 'CI', city: 'Abidjan', district: 'Cocody', lat: 5.3456, lng: -3.9877 },
          bathrooms: 1,
          areaSqm: 24,
        },
      },
    ],
  },
  {
    email: 'kwame@example.com',
    name: 'Kwame Boateng',
    verified: false,
    profile: { displayName: 'Kwame Homes', languages: ['en'], serviceAreas: ['Accra'] },
    listings: [],
  },
]
