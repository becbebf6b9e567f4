import type { MailWords } from './words.ts'

/** Spanish. */
export const es: MailWords = {
  links: {
    'password-reset': ({ lifetime }) => ({
      title: 'Elija una nueva contraseña',
      text: 'Alguien, seguramente usted, pidió elegir una nueva contraseña para su cuenta.',
      action: 'Elegir una nueva contraseña',
      closing: `El enlace funciona una sola vez, durante ${lifetime}. Una nueva contraseña cierra la sesión en todos los dispositivos. Si no lo pidió usted, ignore este mensaje: nada cambia.`,
    }),
    'email-verification': ({ lifetime }) => ({
      title: 'Confirme su dirección de correo electrónico',
      text: 'Se ha creado una cuenta con esta dirección de correo electrónico. Si es suya, confírmela.',
      action: 'Confirmar la dirección',
      closing: `El enlace funciona durante ${lifetime}. Si no ha creado ninguna cuenta, no lo abra. Puede recuperar la dirección pidiendo una nueva contraseña.`,
    }),
    'email-change': ({ lifetime }) => ({
      title: 'Confirme su nueva dirección de correo electrónico',
      text: 'Alguien, seguramente usted, pidió usar esta dirección de correo electrónico en una cuenta.',
      action: 'Usar esta dirección',
      closing: `El enlace funciona una sola vez, durante ${lifetime}. Si no lo pidió usted, ignore este mensaje: nada cambia.`,
    }),
    'email-undo': ({ lifetime }) => ({
      title: 'Su dirección de correo electrónico ha cambiado',
      text: 'Su cuenta tiene ahora otra dirección de correo electrónico. Si no fue usted, deshaga el cambio: vuelve la dirección anterior, se cierra la sesión en todos los dispositivos y usted elige una nueva contraseña.',
      action: 'Deshacer el cambio',
      closing: `El enlace funciona durante ${lifetime}. Si cambió la dirección usted, no tiene que hacer nada.`,
    }),
  },
  emailChangeAsked: {
    title: 'Se ha pedido otra dirección de correo electrónico',
    text: 'Alguien con la sesión iniciada en su cuenta pidió cambiar su dirección de correo electrónico. Nada cambia hasta que se confirme la nueva dirección. Si no fue usted, cambie su contraseña.',
  },
  emailTaken: {
    title: 'Alguien ha pedido su dirección de correo electrónico',
    text: 'Alguien pidió usar esta dirección de correo electrónico en otra cuenta. Pertenece a la suya, así que nada cambia. Si fue usted, inicie sesión con esta dirección.',
  },
  orOpen: 'Si el botón no funciona, abra esta dirección:',
  message: 'Nuestro mensaje para usted:',
  always: 'Los mensajes sobre su identidad y la seguridad de su cuenta se envían siempre.',
  stop: {
    listings: 'No recibir más correos sobre mis anuncios',
    enquiries: 'No recibir más correos sobre consultas',
    payments: 'No recibir más correos sobre pagos',
    favourites: 'No recibir más correos sobre mis favoritos',
    searches: 'No recibir más correos sobre mis búsquedas guardadas',
  },
}
