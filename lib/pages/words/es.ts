import type { PageWords } from './words.ts'

/** Spanish. */
export const es: PageWords = {
  done: 'Hecho. Ya puede cerrar esta página.',
  stopped: 'Hecho. No recibirá más correos de este tipo.',
  newPassword: 'Contraseña nueva',
  passwordRule: ({ min, max }) =>
    `De ${min} a ${max} caracteres. Ni una contraseña común, ni su nombre, ni su dirección de correo electrónico.`,
  weakPassword: {
    length: ({ min, max }) => `La contraseña debe tener de ${min} a ${max} caracteres.`,
    common: 'Esta contraseña es común o se ha filtrado. Elija otra, por favor.',
    own: 'La contraseña no puede ser su nombre ni su dirección de correo electrónico.',
  },
  email: 'Dirección de correo electrónico',
  notAnEmail: 'Esto no es una dirección de correo electrónico.',
  gone: {
    title: 'Este enlace ya no funciona',
    text: 'Se ha usado, ha caducado o lo ha sustituido un enlace más reciente.',
  },
  linkNotWorking: '¿El enlace no funciona?',
  newLink: {
    text: 'Escriba su dirección de correo electrónico y le enviaremos un enlace nuevo.',
    action: 'Enviarme un enlace nuevo',
  },
  resetLink: {
    title: 'Elegir una contraseña nueva',
    text: 'Escriba su dirección de correo electrónico y le enviaremos un enlace para elegir una contraseña nueva.',
    action: 'Enviarme un enlace',
  },
  changeAgain:
    'Inicie sesión y pida de nuevo el cambio de dirección. Si no puede iniciar sesión, elija antes una contraseña nueva.',
  undoAgain:
    'Si su dirección anterior ya ha vuelto, elija con ella una contraseña nueva. Si no cambió usted la dirección y ya no puede iniciar sesión, póngase en contacto con nosotros de inmediato.',
  sent: {
    title: 'Mire su buzón de correo',
    text: 'Si esta dirección pertenece a una cuenta, le llegará un enlace. Mire también entre los correos no deseados.',
  },
  emailTaken: 'Esta dirección pertenece ahora a otra cuenta. No ha cambiado nada.',
  tooMany: 'Ha habido demasiados intentos. Inténtelo de nuevo más tarde, por favor.',
  failed: 'Algo ha fallado por nuestra parte y no ha cambiado nada. Inténtelo de nuevo, por favor.',
  stopAgain:
    'Abra el enlace que está al final de nuestro correo más reciente: este puede estar incompleto. También puede desactivar los correos en los ajustes de su cuenta.',
  receiptAgain: 'El enlace de un recibo funciona durante cinco minutos. Abra de nuevo el recibo de su pago.',
  noReceipt: 'No hay recibo de este pago.',
}
